// SPDX-License-Identifier: BSL-1.0
// An echo server and its clients in one thread. They are connected over the loopback device.
#include "driver.hpp"

#include <memory>
#include <string>

#include <websocketpp/client.hpp>
#include <websocketpp/config/asio_no_tls.hpp>
#include <websocketpp/config/asio_no_tls_client.hpp>
#include <websocketpp/server.hpp>

namespace {

using websocketpp::connection_hdl;
using server = websocketpp::server<websocketpp::config::asio>;
using client = websocketpp::client<websocketpp::config::asio_client>;

constexpr int connections = 16;
constexpr int messages = 200;
constexpr int in_flight = 4;

class exchange {
public:
    exchange() {
        prepare(server_);
        prepare(client_);
        server_.set_reuse_addr(true);
        server_.set_message_handler([this](connection_hdl from, server::message_ptr message) {
            server_.send(from, message->get_payload(), message->get_opcode());
        });
        client_.set_open_handler([this](connection_hdl to) {
            for (int i = 0; i < in_flight; ++i) send(to, i);
        });
        client_.set_message_handler([this](connection_hdl from, client::message_ptr message) {
            received_ += message->get_payload().size();
            ++answers_;
            const int number = std::stoi(message->get_payload()) + in_flight;
            if (number < messages) {
                send(from, number);
            } else if (number == messages) {
                client_.close(from, websocketpp::close::status::normal, "");
            }
        });
        client_.set_close_handler([this](connection_hdl) {
            if (++closed_ == connections) server_.stop_listening();
        });
        client_.set_fail_handler([](connection_hdl) { driver::require(false, "no connection"); });
    }

    std::uint64_t run() {
        server_.listen(websocketpp::lib::asio::ip::tcp::v4(), 0);
        server_.start_accept();
        websocketpp::lib::asio::error_code failure;
        const auto port = std::to_string(server_.get_local_endpoint(failure).port());
        for (int i = 0; i < connections; ++i) {
            websocketpp::lib::error_code refused;
            const auto connection = client_.get_connection("ws://127.0.0.1:" + port, refused);
            driver::require(!refused, "a client was refused");
            client_.connect(connection);
        }
        io_.run();
        driver::require(closed_ == connections, "a connection stayed open");
        return received_ + static_cast<std::uint64_t>(answers_);
    }

private:
    template <class Endpoint>
    void prepare(Endpoint& endpoint) {
        endpoint.clear_access_channels(websocketpp::log::alevel::all);
        endpoint.clear_error_channels(websocketpp::log::elevel::all);
        endpoint.init_asio(&io_);
    }

    void send(connection_hdl to, int number) {
        std::string text = std::to_string(number);
        text.append(std::size_t{64} << number % 7, '.');
        client_.send(to, text, websocketpp::frame::opcode::text);
    }

    websocketpp::lib::asio::io_service io_;
    server server_;
    client client_;
    std::uint64_t received_ = 0;
    int answers_ = 0;
    int closed_ = 0;
};

}  // namespace

std::uint64_t driver::workload() {
    return exchange().run();
}
